import { after, before } from 'node:test'

/** How long a test file may take to exit after its last test. */
const GRACE_MS = 60_000
/** How long a file may take to start its first test: long enough to start a server on a very busy machine. */
const FIRST_TEST_MS = 300_000

// A file that opens a server and then declares no test never runs its `after` hooks: without this the run would not end.
const unstarted = setTimeout(() => {
  console.error('No test began within five minutes: the file declares none, or its set-up hangs.')
  process.exit(1)
}, FIRST_TEST_MS).unref()
before(() => clearTimeout(unstarted))

// A failed test may leave a server or a timer behind. Without this its file would never end, and neither would the run.
after(() => {
  setTimeout(() => {
    console.error(`Still open a minute after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }, GRACE_MS).unref()
})
