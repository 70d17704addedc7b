import { after } from 'node:test'

/** How long a file of tests may take to end once its tests are through. */
const GRACE_MS = 60_000

// A failed test may leave a server or a timer behind. Without this its file would never end, and neither would the run.
after(() => {
  setTimeout(() => {
    console.error(`Still open a minute after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }, GRACE_MS).unref()
})
