/** One value of a header that is a list of values with parameters; names and value are in lower case. */
export interface HeaderValue {
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

/** The parts of a header between its separators, which may also occur in quotes. */
const TOKENS = /[,;]|"(?:[^"\\]|\\.)*"?|[^,;"]+/g

/** Reads a header such as `a/b;c=1, d/e;q=0.1`. Anything invalid becomes a value that matches nothing. */
export function readHeader(header: string): HeaderValue[] {
  const lists: string[][] = [['']]
  for (const [token] of header.matchAll(TOKENS)) {
    const parts = lists.at(-1) ?? []
    if (token === ',') lists.push([''])
    else if (token === ';') parts.push('')
    else parts[parts.length - 1] += token
  }
  return lists.flatMap(([value = '', ...parameters]) =>
    value.trim() === ''
      ? []
      : [{ value: value.trim().toLowerCase(), parameters: new Map(parameters.map(readParameter)) }],
  )
}

function readParameter(text: string): [name: string, value: string] {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=').trim()
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  return [name.trim().toLowerCase(), isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value]
}
