package secret_test

import (
	"testing"

	"plastic/internal/secret"
)

// The laws: a text is masked where and only where a secret is found in it, what is
// masked holds none, and masking it again changes nothing.
func FuzzWhatIsMaskedHoldsNoSecret(f *testing.F) {
	for _, s := range []string{
		"my key is sk-abcdefghijklmnop1234", "password: hunter2x", "пароль от почты — qwerty12", "密码是 abc12345", "ghp_0123456789abcdefghijABCDEFGHIJ", "postgres://u:pa55word@db",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----", "token token = a1b2c3d4 password is 1234567", "AKIAABCDEFGHIJKLMNOPAKIAABCDEFGHIJKLMNOP", "bearer bearer abcdefghijklmnopqrstuvwx", "pwd=[secret]a1b2c3",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		what, masked := secret.Find(text), secret.Mask(text)
		if (what == "") != (masked == text) {
			t.Fatalf("in %q %q is found, masked it is %q", text, what, masked)
		}
		if left := secret.Find(masked); left != "" {
			t.Fatalf("%q is masked as %q, where %s is found", text, masked, left)
		}
		if twice := secret.Mask(masked); twice != masked {
			t.Fatalf("%q is masked as %q, then as %q", text, masked, twice)
		}
	})
}
