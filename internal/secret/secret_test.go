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
		"token economics is 3 hours of lectures",
		"see https://example.org/a:b/c@d",
		"disk-usage-report-generator-v12345 runs nightly",
	} {
		if what := secret.Find(text); what != "" {
			t.Errorf("%q is taken for %s", text, what)
		}
	}
}
