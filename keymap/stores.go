package keymap

// Actions of the Stores screen. ScreenStores shows it.
const (
	ScreenStores ID = "stores"
	AddFolder    ID = "add-folder"
	ForgetStore  ID = "forget-store"
)

// storesActions are those of the Stores screen.
func storesActions() []Action {
	return []Action{
		{Open, Stores, []string{"enter"}, "open", "open the store", "open"},
		{Find, Stores, []string{"S"}, "find", "search names and text of all stores: words, or /a regular expression/", "search all"},
		{NextUnread, Stores, []string{"."}, "next-unread", "review the next store with unread changes", ""},
		{PrevUnread, Stores, []string{","}, "previous-unread", "review the previous store with unread changes", ""},
		{Refresh, Stores, []string{"f5"}, "refresh", "refresh: find and read all stores again", ""},
		{Filter, Stores, []string{"f"}, "filter",
			"filter by agent, project or path, or is:missing is:stranded is:over is:waiting is:index is:not-loaded is:unread",
			"filter"},
		{AddFolder, Stores, []string{"c"}, "add-folder",
			"create a row for a folder; shows the change to the configuration first: :add-folder DIR", ""},
		{ForgetStore, Stores, []string{"D"}, "forget-store", "decline: forget a store whose folder is gone; its journal stays", ""},
	}
}
