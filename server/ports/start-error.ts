/** A failure that the operator can mend: its message is the one sentence they read, and no stack is shown. */
export class StartError extends Error {
  override name = 'StartError'
}
