package store

// Problem is something about the files that is not as it should be.
type Problem struct {
	Code    string `json:"code"` // one of the codes below
	Path    string `json:"path"` // the file it is about
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do about it, a command if there is one
	Fixed   bool   `json:"fixed"`
}

// The codes of problems.
const (
	CodeCorrupt     = "corrupt"     // the file can not be read whole; what could be saved works
	CodeConflict    = "conflict"    // an unfinished merge: both sides work, the file waits
	CodeForeign     = "foreign"     // another tool's file; left untouched
	CodeNewer       = "newer"       // written by a newer plastic; read-only
	CodeMissing     = "missing"     // gone or empty although there is a history
	CodeOdd         = "odd"         // an entry that is no memory, kept aside
	CodeOddField    = "odd_field"   // a field whose value makes no sense, kept as it is
	CodeDuplicate   = "duplicate"   // one id for two memories; the later got a new one
	CodeQuarantined = "quarantined" // a damaged file was put aside and not all of it was saved
	CodeJournal     = "journal"     // lines of the journal that can not be read
	CodeIO          = "io"          // a file could not be written; nothing is lost
	CodeReadOnly    = "read_only"   // the folder can not be written
	CodeLeftover    = "leftover"    // temporary files of a write that was cut off
	CodeLock        = "lock"        // something stands in the place of the lock
	CodeUnerased    = "unerased"    // a purged text still stands in the files
	CodeLast        = "last_copy"   // the copy that would serve in the place of memory.json is damaged
	CodeDangling    = "dangling"    // supersededBy names a memory that is nowhere
)
