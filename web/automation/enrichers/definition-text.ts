/** A definition to begin with: one request, and a verdict from a score in the answer. */
export const NEW_DEFINITION = {
  title: 'My service',
  base: 'https://service.example/v1',
  parameters: { api_key: { kind: 'secret', title: 'API key' } },
  headers: { 'X-Api-Key': '{api_key}' },
  requests: [{ types: ['ipv4', 'domain'], path: '/look-up/{value}' }],
  answers: { not_found: { status: [404] } },
  findings: [{ kind: 'verdict', value: 'score', thresholds: { high: 75, medium: 40, low: 10 } }],
}

type Read = { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string }

/** Reads the text of a definition, or says where it is not JSON. */
export function readDefinition(text: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject
      ? { value: value as Readonly<Record<string, unknown>> }
      : { fault: 'Enter a JSON object in curly brackets.' }
  } catch (error) {
    return { fault: `This is not valid JSON${placeOf(text, String(error))}.` }
  }
}

/** The line of a syntax error, which browsers give as a line, as a position, or not at all. */
function placeOf(text: string, message: string): string {
  const line = /line (\d+)/.exec(message)?.[1]
  if (line) return ` (line ${line})`
  const position = /position (\d+)/.exec(message)?.[1]
  return position ? ` (line ${text.slice(0, Number(position)).split('\n').length})` : ''
}
