//go:build !unix

package vectors

import "os"

func mapFile(path string) (data []byte, info os.FileInfo, free func(), err error) {
	if info, err = os.Stat(path); err == nil {
		data, err = os.ReadFile(path)
	}
	return data, info, func() {}, err
}

func lock(path string) (unlock func(), err error) { return func() {}, nil }
