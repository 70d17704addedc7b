/** Words with a special spelling. */
const SPELLINGS: Readonly<Record<string, string>> = {
  atm: 'ATM',
  capec: 'CAPEC',
  cce: 'CCE',
  ciq: 'CIQ',
  coa: 'CoA',
  cve: 'CVE',
  cvss: 'CVSS',
  cwe: 'CWE',
  id: 'ID',
  ids: 'IDs',
  idref: 'ID reference',
  osvdb: 'OSVDB',
  ref: 'reference',
  refs: 'references',
  stix: 'STIX',
  tlp: 'TLP',
  ttp: 'TTP',
  ttps: 'TTPs',
  uri: 'URI',
  url: 'URL',
  vocab: 'vocabulary',
  xml: 'XML',
}

/** The label of a field name: `kill_chain_phases` becomes “Kill chain phases”. */
export function labelOf(name: string): string {
  const words = name
    .split(/[_\s-]+/)
    .filter(Boolean)
    .map((word) => SPELLINGS[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The label of a field at a path: `data.victims[0].name` becomes “Victims 1 › Name”. */
export const fieldLabel = (path: string): string =>
  path
    .replace(/^(?:data|meta)\./, '')
    .split('.')
    .map((part) => labelOf(part.replace(/\[(\d+)\]/, (_, at) => ` ${Number(at) + 1}`)))
    .join(' › ')
