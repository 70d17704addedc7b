const CITATION = /\(Citation: [^()]{0,300}\)/g
const LINK = /\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g
const CODE = /<\/?code>|`/g

/** A text of ATT&CK without citations, addresses of links and marks of code. */
export const plainText = (text: string): string =>
  text.replaceAll(CITATION, '').replaceAll(LINK, '$1').replaceAll(CODE, '').replaceAll(/\s+/g, ' ').trim()
