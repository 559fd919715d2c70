package notesgen

// In a wording {v} is the value, {s} a service, {u} a user, {h} a host, {e} the name of a variable.

// passwordSays are the wordings for passwords, by language.
var passwordSays = map[string][]string{
	"en": {
		"The {s} password is {v}.", "Log in to {s} as {u} with password {v}", "{u}'s password: {v}", "creds for {s}: {u} / {v}",
		"I changed the {s} password to {v} yesterday.",
		"When prompted for the passphrase, type {v} and press enter.", "user {u}, pass {v}, works as of Tuesday",
		"Use {v} as the {s} admin password.", "Wifi at the office: SSID {s}-guest, password {v}",
		"- **Password**: {v}", "- `password` -> `{v}`", "* pw: {v}", "The password for {u} on {h} was reset to \"{v}\"",
		"root password = {v}", "SSH to {h} with {u} and the password '{v}'.",
		"New PIN-protected zip, passphrase is {v}", "login: {u} pwd: {v}", "temp password ({v}) must be changed on first login",
		"{u} / {v} (username / password for {s})", "Don't lose this: {s} password -> {v}",
		"His password used to be {v}, now it is managed.", "Password (old): {v}", "passwd={v}", "| {s} | {u} | password: {v} |",
		"the {s} login is {u} with {v} as password",
	},
	"ja": {
		"{s}のパスワードは{v}です。", "パスワード：{v}", "- **パスワード**: {v}", "{u}さんのパスワードを{v}に変更した。", "ログイン情報 {u} / {v}（{s}）", "Wi-Fiのパスワードは「{v}」。",
		"暗証フレーズ：{v}、忘れないこと",
		"{s}にはID {u}、パスワード {v} でログインする。", "管理者パスワード={v}", "初期パスワードは {v} だった",
	},
	"ko": {
		"{s} 비밀번호는 {v}입니다.", "비밀번호: {v}", "- **비밀번호**: {v}", "{u}의 비밀번호를 {v}(으)로 변경했다.", "아이디 {u}, 비밀번호 {v}", "와이파이 비밀번호는 \"{v}\"이다.",
		"{s} 로그인: {u} / {v}", "암호는 {v}로 설정함", "관리자 비번 {v}",
	},
	"zh": {
		"{s}的密码是{v}。", "密码：{v}", "- **密码**：{v}", "把{u}的密码改成了{v}，", "用户名 {u}，密码 {v}", "Wi-Fi 密码为“{v}”。", "登录{s}：{u} / {v}", "口令：{v}；",
		"管理员密码设置为 {v}",
	},
	"de": {"Das Passwort für {s} ist {v}.", "Passwort: {v}", "- **Kennwort**: {v}", "{u} hat das Passwort auf {v} geändert.",
		"Zugangsdaten {s}: {u} / {v}", "WLAN-Passwort lautet „{v}“.", "Anmelden mit {u} und Kennwort {v}"},
	"fr": {"Le mot de passe de {s} est {v}.", "Mot de passe : {v}", "- **Mot de passe** : {v}", "{u} a changé le mot de passe en {v}.",
		"Identifiants {s} : {u} / {v}", "Le mdp du wifi est « {v} ».", "Se connecter avec {u}, mot de passe {v}"},
	"es": {"La contraseña de {s} es {v}.", "Contraseña: {v}", "- **Contraseña**: {v}", "{u} cambió la contraseña a {v}.",
		"Credenciales de {s}: {u} / {v}", "La clave del wifi es «{v}».", "Entrar con usuario {u} y contraseña {v}"},
}

// tokenSays are the wordings for tokens of a shape of their own; opaque ones need a word that names them.
var tokenSays = map[string][]string{
	"en": {
		"The {s} token is {v}", "token: {v}", "- **API_KEY**: {v}", "- `{e}`: `{v}`", "Used {v} for the import.", "export {e}={v}",
		"{e}={v}", "{e}: \"{v}\"", "The user gave me this key: {v}. Keep it.",
		"| {e} | {v} | 2026-03 |", "curl -H \"Authorization: Bearer {v}\" https://{h}/v1/items", "set {e} to {v} before running",
		"credentials -> {v}", "my {s} API key ({v}) expires in May", "<token>{v}</token>",
		"const client = new Client({ apiKey: '{v}' })", "https://{h}/hook?access_token={v}&x=1", "X-Api-Key: {v}", "--token {v} --verbose",
		"//{h}/:_authToken={v}",
	},
	"ja": {"APIキーは{v}です。", "トークン：{v}", "{s}のアクセストークン「{v}」を使う", "環境変数 {e} に {v} を設定した。"},
	"ko": {"API 키는 {v}입니다.", "토큰: {v}", "{s} 액세스 토큰 {v}을 사용한다", "환경 변수 {e}에 {v} 설정"},
	"zh": {"API 密钥是{v}。", "令牌：{v}", "使用{s}的访问令牌{v}，", "把 {e} 设为 {v}。"},
	"de": {"Der API-Schlüssel ist {v}.", "Token: {v}", "Zugriffstoken für {s}: {v}"},
	"fr": {"La clé API est {v}.", "Jeton : {v}", "Jeton d'accès pour {s} : {v}"},
	"es": {"La clave de API es {v}.", "Token: {v}", "Token de acceso de {s}: {v}"},
}

var opaqueSays = map[string][]string{
	"en": {
		"{e}={v}", "export {e}=\"{v}\"", "- **{e}**: {v}", "the {s} api key is {v}", "client secret: {v}", "X-Api-Key: {v}",
		"https://{h}/v1?api_key={v}&page=2", "Authorization: Bearer {v}", "| {e} | {v} |", "secret access key: {v}",
		"{s} API token -> `{v}`", "--api-key {v}",
	},
	"ja": {"APIキー：{v}", "シークレットキーは {v} です。", "{e}={v}"},
	"ko": {"API 키: {v}", "시크릿 키는 {v}입니다.", "{e}={v}"},
	"zh": {"API 密钥：{v}", "密钥是 {v}。", "{e}={v}"},
	"de": {"API-Schlüssel: {v}", "Der geheime Schlüssel lautet {v}.", "{e}={v}"},
	"fr": {"Clé API : {v}", "La clé secrète est {v}.", "{e}={v}"},
	"es": {"Clave de API: {v}", "La clave secreta es {v}.", "{e}={v}"},
}

// commandSays hold passwords in commands and files of programs.
var commandSays = []string{
	"mysql -u {u} -p'{v}' -h {h}", "PGPASSWORD={v} psql -h {h} -U {u}", "curl -u {u}:{v} https://{h}/api", "sshpass -p {v} ssh {u}@{h}",
	"docker login -u {u} -p {v} {h}", "machine {h} login {u} password {v}",
	"redis-cli -h {h} -a {v} ping", "net use Z: \\\\{h}\\share /user:{u} {v}", "export RESTIC_PASSWORD='{v}'",
	"mongo --host {h} --username {u} --password {v}", "$env:DB_PASSWORD = \"{v}\"", "7z x -p{v} backup.7z",
	"net user {u} {v} /add", "htpasswd -bc /etc/nginx/.htpasswd {u} {v}", "rabbitmqctl add_user {u} {v}", "sqlplus {u}/{v}@{h}",
	"lftp -u {u},{v} {h}", "curl --user {u}:{v} https://{h}/", "xfreerdp /u:{u} /p:{v} /v:{h}",
	"kinit {u} <<< {v}", "echo \"{u}:{v}\" | sudo chpasswd", "gh secret set DB_PASS --body \"{v}\"", "bw unlock {v}",
	"openssl enc -aes-256-cbc -k '{v}' -in a -out b", "evil-winrm -i {h} -u {u} -p {v}",
}

// personalSays by class and language; a class without a language has those of "en".
var personalSays = map[string]map[string][]string{
	"email": {
		"en": {"Contact: {v}", "Send the report to {v} by Friday.", "- **Email**: {v}", "<{v}>", "cc {v}, please", "{v}", "mailto:{v}"},
		"ja": {"メールは{v}まで。", "連絡先：{v}", "- **メール**: {v}"}, "ko": {"이메일은 {v}입니다.", "연락처: {v}"}, "zh": {"邮箱是{v}。", "联系方式：{v}，"},
		"de": {"E-Mail: {v}", "Bitte an {v} schicken."}, "fr": {"Courriel : {v}", "Écrire à {v}."}, "es": {"Correo: {v}", "Escribir a {v}."},
	},
	"phone": {
		"en": {"Phone: {v}", "Call her at {v} after six.", "- **Mobile**: {v}", "his number is {v}", "tel {v}"},
		"ja": {"電話番号は{v}です。", "携帯：{v}", "- **電話**: {v}"}, "ko": {"전화번호는 {v}입니다.", "휴대폰: {v}"}, "zh": {"电话是{v}。", "手机：{v}，", "手机号 {v}"},
		"de": {"Telefon: {v}", "Mobil erreichbar unter {v}."}, "fr": {"Téléphone : {v}", "Portable : {v}"}, "es": {"Teléfono: {v}", "Móvil: {v}"},
	},
	"credit-card": {
		"en": {"Card on file: {v}", "She pays with {v}, exp 09/28.", "card number {v}", "{v}"}, "ja": {"カード番号は{v}です。"},
		"ko": {"카드 번호: {v}"}, "zh": {"信用卡号：{v}。"}, "de": {"Kreditkarte: {v}"}, "fr": {"Carte bancaire : {v}"}, "es": {"Tarjeta: {v}"},
	},
	"iban": {"en": {"IBAN {v}", "Transfer to {v} please", "Bank account: {v}"},
		"de": {"IBAN: {v}", "Miete auf {v} überweisen."}, "fr": {"IBAN : {v}"}, "es": {"IBAN: {v}"}},
	"us-ssn": {"en": {"SSN: {v}", "Her social security number is {v}.", "{v}"}},
	"ip-address": {"en": {"The server is at {v}.", "Blocked {v} after the scan.", "ssh deploy@{v}", "http://{v}:8080/status"},
		"ja": {"サーバーは{v}です。"}, "zh": {"服务器地址：{v}"}},
}

// echoSays repeat a value without naming what it is.
var echoSays = []string{"Tried {v} again, it works.", "(see above: {v})", "{v}", "- {v}", "and then {v} was used once more",
	"Same as before, {v}.", "{v} 再次使用", "또 {v} 사용"}

var services = []string{"Grafana", "Jenkins", "the router", "Postgres", "Nextcloud", "staging", "Netflix", "the NAS", "Jira", "SMTP",
	"GitLab"}

var languages = []string{"en", "ja", "ko", "zh", "de", "fr", "es"}
