package store

import "crypto/rand"

// alphabet has no letters that are read as others, and hardly makes words.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idLength is the length of an id of random bytes. It is not looked up whether one is
// free, which would cost a search of the file: chance alone is enough, among a million
// memories it meets one in 10⁹ times. derivedLength is that of one that is made of a
// text and looked up.
const (
	idLength      = 10
	derivedLength = 8
)

// spell writes random bytes as an id: a letter first.
func spell(random []byte) string {
	id := make([]byte, len(random))
	for i := range id {
		id[i] = alphabet[random[i]&31]
	}
	id[0] = alphabet[10+random[0]%22]
	return string(id)
}

func randomID() string {
	var b [idLength]byte
	rand.Read(b[:])
	return spell(b[:])
}
