/** A failure that the operator can fix. Only its message is shown, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
