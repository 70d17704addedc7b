/** A reference of a node to its publisher or a source. */
export interface ExternalReference {
  readonly source_name?: string | null
  readonly external_id?: string | null
  readonly url?: string | null
}

/** The page of a node at its publisher. Bundles come from outside, so only addresses that a browser shows as pages are used. */
export function addressOf(references: readonly ExternalReference[]): string | undefined {
  for (const { external_id, url } of references) {
    if (!external_id || !url || !URL.canParse(url)) continue
    const { protocol, href, username, password } = new URL(url)
    if ((protocol === 'https:' || protocol === 'http:') && username + password === '') return href
  }
  return undefined
}
