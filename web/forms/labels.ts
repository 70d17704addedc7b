/** Words that are not written as they stand in the names of fields. */
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

/** The name of a field as people read it: `kill_chain_phases` is “Kill chain phases”. */
export function labelOf(name: string): string {
  const words = name
    .split(/[_\s-]+/)
    .filter(Boolean)
    .map((word) => SPELLINGS[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
