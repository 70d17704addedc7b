import type { Opened } from '../../ports/outbound.ts'

const MAX_NAME_LENGTH = 200

/** Names a document: as its server does, otherwise after the end of its address, otherwise after the server. */
export function documentName({ headers, url }: Pick<Opened, 'headers' | 'url'>): string {
  const { pathname = '', host = '' } = URL.parse(url) ?? {}
  const candidates = [dispositionName(headers['content-disposition'] ?? ''), decoded(pathname.split('/').at(-1) ?? '')]
  return candidates.map(clean).find((name) => name !== '') ?? host
}

/** `filename*` takes precedence over `filename`, because it can hold any character. */
function dispositionName(disposition: string): string {
  const text = disposition.slice(0, 2000)
  const extended = /;\s?filename\*\s?=\s?(?:utf-8|iso-8859-1)'[^';]{0,20}'([^;\s]{1,1000})/i.exec(text)?.[1]
  if (extended !== undefined) return decoded(extended)
  const [, quoted, bare] = /;\s?filename\s?=\s?(?:"([^"]{0,1000})"|([^;\s"]{1,1000}))/i.exec(text) ?? []
  return quoted ?? bare ?? ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last segment of a path, without invisible characters. */
function clean(name: string): string {
  const own = name.split(/[/\\]/).at(-1) ?? ''
  return own
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, '')
    .replace(/^\.+/, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
}
