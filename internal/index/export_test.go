package index

// Counts is where the columns of a block begin: before it stands what depends on
// when the block was made.
const Counts = bodyAt + metaLen
