/** Requests the next item while the current one is being used, so that the database and this process work in parallel. */
export async function* prefetched<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = begun(items)
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = begun(items)
      yield value
    }
  } finally {
    // A consumer that stops early must not leave a query running on a connection that is about to be reused.
    await next.catch(() => {})
    await items.return(undefined)
  }
}

function begun<T>(items: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const next = items.next()
  // Prevents an unhandled rejection; the consumer gets the error when it awaits the item.
  next.catch(() => {})
  return next
}
