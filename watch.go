package plastic

import "context"

// Watch calls changed whenever another hand changed one of the folder's files
// (the memories, the card, the settings), and once when it stands. It comes back
// when ctx ends; where the system can not tell of changes it looks every other
// second.
func (b *Bank) Watch(ctx context.Context, changed func()) error {
	return b.store.Watch(ctx, nil, changed)
}
