/** The text of a body as it arrives. Characters that are cut between two pieces are put together. */
export async function* textsOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of body) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

export async function wholeText(body: AsyncIterable<Buffer>): Promise<string> {
  let whole = ''
  for await (const text of textsOf(body)) whole += text
  return whole
}

/** The lines of a body as they arrive, without empty ones. */
export async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textsOf(body)) {
    rest += text
    // A long line would otherwise be searched again with each piece of it.
    if (!text.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}
