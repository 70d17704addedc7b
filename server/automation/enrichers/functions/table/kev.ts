import type { Finding } from '../../function.ts'
import { textIn } from './row-values.ts'
import { tableFunction, verdictOn, verdictParameter } from './table-function.ts'

/** The catalogue of vulnerabilities that are known to be exploited. */
export const kev = tableFunction({
  table: 'kev',
  title: 'CISA Known Exploited Vulnerabilities',
  description: 'Finds vulnerabilities that are known to be exploited, with the date by which they are to be fixed.',
  supportedTypes: ['cve'],
  load: 'Create the table `kev` with the format json and the `key_column` cveID. CISA publishes it at https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json.',
  parameters: { verdict: verdictParameter('high') },
  find: ({ rows }, table, { value }) => rows(table, [value]),
  read: ({ hits, subject: { value }, parameters: { verdict } }) => {
    const row = hits[0]?.row ?? {}
    const name = textIn(row, 'vulnerabilityName') ?? 'Known exploited vulnerability'
    const [added, due, action] = [textIn(row, 'dateAdded'), textIn(row, 'dueDate'), textIn(row, 'requiredAction')]
    const isRansomware = textIn(row, 'knownRansomwareCampaignUse')?.toLowerCase() === 'known'
    const dates = [added && `Added ${added}.`, due && `Due ${due}.`, action].filter(Boolean).join(' ')
    const description = textIn(row, 'shortDescription')
    const findings: Finding[] = [
      ...verdictOn(verdict, `Known to be exploited${isRansomware ? ', also by ransomware' : ''}.`),
      { kind: 'tag', value: 'known-exploited' },
      ...(isRansomware ? [{ kind: 'tag', value: 'ransomware' } as const] : []),
      {
        kind: 'reference',
        url: `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(value)}`,
        title: name,
        description: dates,
      },
      {
        kind: 'entity',
        type: 'exploit-target',
        id: value,
        title: `${value} ${name}`,
        ...(description !== undefined && { description }),
      },
    ]
    return { findings }
  },
})
