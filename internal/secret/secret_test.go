package secret_test

import (
	"strings"
	"testing"

	"plastic/internal/secret"
)

func TestKnownShapesAreFound(t *testing.T) {
	for _, text := range []string{
		"my API key is sk-test-1234567890abcdef",
		"use sk-proj-abcdefghijklmnop1234 for the bot",
		"AKIAIOSFODNN7EXAMPLE is the access key",
		"ghp_0123456789abcdefghij0123456789abcdef",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nabc",
		"password: Tr0ub4dor",
		"пароль: Kot12345",
		"密码是 abc12345",
		"Authorization: Bearer abcdefghijklmnopqrstuvwxyz",
		"postgres://bot:hunter22@db.example/bot",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
		"пароль от вайфая Qwerty123!",
		"мой пароль — Qwerty123",
		"Wi-Fi 密碼係 Abc12345",
		"パスワードは Abc12345",
		"das Passwort ist Kater4711",
		"the password for the router is x1y2z3w4",
		"password: 12345678",
		"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"client_secret: 9f8a7b6c5d4e3f2a1b0c",
		"AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ",
		"dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
		"the bot is 123456789:AAabcdefghijklmnopqrstuvwxyz0123456",
	} {
		if secret.Find(text) == "" {
			t.Errorf("not found in %q", text)
		}
		if m := secret.Mask(text); !strings.Contains(m, "[secret]") || secret.Find(m) != "" {
			t.Errorf("masking %q leaves %q", text, m)
		}
	}
}

func TestOrdinaryTextIsNoSecret(t *testing.T) {
	for _, text := range []string{
		"@ann keeps her password in her head",
		"password: ask @ann",
		"the secret is love",
		"task-force-meeting-on-monday is at noon",
		"the risk-management-committee-meeting is on Monday",
		"ticket QX-77, host 10.0.0.7, C++ and node.js v2.1",
		"лёша забыл пароль от роутера",
		"密码忘记了",
		"Ann forgot her password again in 2024",
		"the password is written in book 3",
		"the token is a small v2 coin",
		"пароль от iPhone15 сменила сестра",
		"пароль от почты она сменила в 2024 году",
		"secret: she has 2 cats",
		"the key is under the mat no 4711",
		"a password-protected2024 archive, and the token-v2.1-notes",
		"the token limit: 128000, and a token is 128000 letters",
		"token economics is 3 hours of lectures",
		"see https://example.org/a:b/c@d",
		"disk-usage-report-generator-v12345 runs nightly",
	} {
		if what := secret.Find(text); what != "" {
			t.Errorf("%q is taken for %s", text, what)
		}
	}
}
