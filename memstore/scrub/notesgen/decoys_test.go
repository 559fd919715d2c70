package notesgen

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

func decoy(name, text string) value { return value{name: name, text: text} }

// decoys are look-alikes: their name or their place shows that they are harmless. leaves.txt of memstore/scrub has many more.
var decoys = []func(r *rand.Rand) (label string, v value){
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"Fixed in commit", "Bisected to", "HEAD was at", "cherry-pick"}), decoy("git-hash", chars(r, hexes, 40))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"Job id", "Request id", "The record is", "trace"}), decoy("uuid", uuid(r))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"sha256", "Checksum of the archive", "digest: sha256"}), decoy("sha256", chars(r, hexes, 64))
	},
	func(r *rand.Rand) (string, value) {
		return "integrity", decoy("integrity", "sha512-"+chars(r, base64s, 86)+"==")
	},
	func(r *rand.Rand) (string, value) {
		return "Firmware version", decoy("version-ip", fmt.Sprintf("version %d.%d.%d.%d", 1+r.IntN(20), r.IntN(30), r.IntN(200), r.IntN(250)))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"Order", "Order number", "Invoice", "Tracking no."}),
			decoy("order", fmt.Sprintf("%s-%d-%06d", pick(r, []string{"ORD", "INV", "PO", "TRK"}), 2020+r.IntN(7), r.IntN(1000000)))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"api_key", "token", "password", "OPENAI_API_KEY"}), decoy("placeholder", pick(r, []string{
			"<YOUR_API_KEY>", "${DB_PASSWORD}", "YOUR_TOKEN_HERE", "xxxxxxxxxxxxxxxx", "********", "{{ secrets.DEPLOY_TOKEN }}",
			"$(pass show prod/db)", "YOUR-PASSWORD",
			"sk-...", "process.env.API_KEY", `os.environ["DB_PASSWORD"]`, "$OPENAI_API_KEY", "REDACTED:password",
			"vault:secret/data/prod#password", "<password>", "%DB_PASS%",
		}))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"From the AWS documentation", "Example key"}),
			decoy("documented", pick(r, []string{"AK" + "IAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"}))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"mail goes to", "as in", "contact"}),
			decoy("example-mail", pick(r, []string{"user", "john.doe", "admin", "you"})+"@"+
				pick(r, []string{"example.com", "example.org", "test.example", "localhost"}))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"listens on", "gateway", "bind", "host"}), decoy("private-ip", pick(r, []string{
			"127.0.0.1", "0.0.0.0", fmt.Sprintf("10.%d.%d.%d", r.IntN(256), r.IntN(256), r.IntN(256)),
			fmt.Sprintf("192.168.%d.%d", r.IntN(256), r.IntN(256)),
			fmt.Sprintf("192.0.2.%d", r.IntN(256)), fmt.Sprintf("203.0.113.%d", r.IntN(256)),
			fmt.Sprintf("172.16.%d.%d", r.IntN(256), r.IntN(256)), "::1", "fe80::1",
		}))
	},
	func(r *rand.Rand) (string, value) {
		return "Test card of the sandbox", decoy("test-card", pick(r, []string{"4242 4242 4242 4242", "4111111111111111", "5555 5555 5555 4444"}))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"started at", "ts", "last_seen"}), decoy("timestamp",
			pick(r, []string{strconv.Itoa(1600000000 + r.IntN(200000000)), strconv.Itoa(1600000000000 + r.IntN(200000000000))}))
	},
	func(r *rand.Rand) (string, value) {
		return pick(r, []string{"on", "Meeting", "due"}), decoy("date", fmt.Sprintf("20%02d-%02d-%02d %02d:%02d", 20+r.IntN(7),
			1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60)))
	},
	func(r *rand.Rand) (string, value) {
		return "see", decoy("url", "https://docs."+pick(r, hosts)+"-project.org/guide/v"+strconv.Itoa(r.IntN(9))+"/"+pick(r, hosts)+
			"?page="+strconv.Itoa(r.IntN(90))+"&sort=name#install")
	},
	func(r *rand.Rand) (string, value) {
		return "public key", decoy("public-key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"+chars(r, base64s, 43)+" "+pick(r, people)+"@laptop")
	},
	func(r *rand.Rand) (string, value) {
		return "logo", decoy("data-uri", "data:image/png;base64,iVBORw0KGgo"+chars(r, base64s, 80)+"==")
	},
	func(r *rand.Rand) (string, value) {
		return "position", decoy("position", fmt.Sprintf("%d.%06d, %d.%06d", r.IntN(80), r.IntN(1000000), r.IntN(170), r.IntN(1000000)))
	},
	func(r *rand.Rand) (string, value) {
		return "code", decoy("code", pick(r, []string{"password = getPassword(user)", "token := os.Getenv(\"TOKEN\")",
			"if password == \"\" { return errNoPassword }", "apiKey: config.apiKey,", "const secret = await vault.read(path)"}))
	},
	func(r *rand.Rand) (string, value) {
		return "secret name", decoy("secret-name", pick(r, []string{"prod/db/password", "stripe-webhook-secret", "KEYCHAIN_ITEM_7",
			"op://Private/Router/password"}))
	},
}

func uuid(r *rand.Rand) string {
	return chars(r, hexes, 8) + "-" + chars(r, hexes, 4) + "-4" + chars(r, hexes, 3) + "-a" + chars(r, hexes, 3) + "-" + chars(r, hexes, 12)
}

// sentences talk of secrets and hold none.
var sentences = map[string][]string{
	"en": {
		"Passwords must have at least 12 characters and one digit.", "The password is stored in 1Password, never write it down here.",
		"Ask Keiko for the API key before the next deploy.",
		"The token expires after 90 days; rotate it in March.", "She prefers not to share her phone number.",
		"Use the secret from the CI settings, not a literal.",
		"The password field is optional on the sign-up page.", "User forgot the password twice this week.",
		"Authorization: Bearer tokens are sent in the header.",
		"Card payments are handled by the provider.", "The key idea: small commits.", "The password reset flow is broken on Safari.",
		"password: see the vault", "Secret santa is on Friday.",
	},
	"ja": {"パスワードは12文字以上にすること。", "APIキーは環境変数から読み込む。", "パスワードは金庫に保管してあるので、ここには書かない。", "電話番号は聞いていない。", "トークンの有効期限は90日です。"},
	"ko": {"비밀번호는 12자 이상이어야 합니다.", "API 키는 환경 변수에서 읽는다.", "비밀번호는 금고에 보관되어 있다.", "전화번호는 아직 모른다.", "토큰은 90일 후에 만료된다."},
	"zh": {"密码至少要有12个字符。", "API 密钥从环境变量读取。", "密码保存在保险库里，不要写在这里。", "他没有留下电话号码。", "令牌90天后过期。"},
	"de": {"Das Passwort muss mindestens 12 Zeichen haben.", "Der API-Schlüssel kommt aus der Umgebungsvariable.",
		"Das Passwort liegt im Tresor.", "Die Telefonnummer ist noch nicht bekannt.", "Passwort vergessen: Link auf der Anmeldeseite."},
	"fr": {"Le mot de passe doit avoir au moins 12 caractères.", "La clé API vient d'une variable d'environnement.",
		"Le mot de passe est rangé dans le coffre.", "Le numéro de téléphone reste à demander."},
	"es": {"La contraseña debe tener al menos 12 caracteres.", "La clave de API se lee de una variable de entorno.",
		"La contraseña está guardada en la bóveda.", "Falta pedir el número de teléfono."},
}

// plain are sentences of no interest.
var plain = map[string][]string{
	"en": {"The user likes short answers and metric units.", "Deploys happen on Tuesdays after the stand-up.",
		"Tests live beside the code.", "We decided to keep the old parser until May.", "Prefers tabs over spaces, sadly.",
		"The staging cluster is slow in the morning."},
	"ja": {"ユーザーは短い回答を好む。", "デプロイは火曜日の朝会のあとに行う。", "テストはコードの隣に置く。", "古いパーサーは五月まで残す。"},
	"ko": {"사용자는 짧은 답변을 선호한다.", "배포는 화요일 회의 후에 한다.", "테스트는 코드 옆에 둔다."},
	"zh": {"用户喜欢简短的回答。", "每周二站会后部署。", "测试放在代码旁边。", "旧的解析器保留到五月。"},
	"de": {"Die Nutzerin mag kurze Antworten.", "Ausgerollt wird dienstags nach der Runde.", "Die Tests liegen neben dem Code."},
	"fr": {"L'utilisatrice aime les réponses courtes.", "On déploie le mardi après la réunion.", "Les tests sont à côté du code."},
	"es": {"Prefiere respuestas cortas.", "Se despliega los martes después de la reunión.", "Las pruebas están junto al código."},
}
