/** Has the next item of a list made while the last one is being used: the database works while we do. */
export async function* ahead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = begun(items)
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = begun(items)
      yield value
    }
  } finally {
    // Whoever stops early must not leave anything running on a connection that others get then.
    await next.catch(() => {})
    await items.return(undefined)
  }
}

function begun<T>(items: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const next = items.next()
  // Whoever waits for it hears of a failure; until then nobody does.
  next.catch(() => {})
  return next
}
