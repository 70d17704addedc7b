import { Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { ENRICHMENT_RULES } from '../rule-kind.ts'
import { RuleList } from '../rule-list.tsx'
import { CountAndTime, type RuleColumn } from '../rule-table.tsx'
import { criteriaInWords, dataInWords } from './rule-words.ts'

const COLUMNS: readonly RuleColumn<EnrichmentRule>[] = [
  { label: 'What it looks up', cell: (rule) => <InWords rule={rule} /> },
  {
    label: 'Requested',
    width: 165,
    cell: ({ enqueued_count, last_enqueued_at }) => (
      <CountAndTime count={enqueued_count} what="look-up" many="look-ups" at={last_enqueued_at} />
    ),
  },
]

/** The list of enrichment rules. */
export const EnrichmentRules = () => <RuleList<EnrichmentRule> kind={ENRICHMENT_RULES} columns={COLUMNS} />

/** Which observables a rule looks up, and with which enrichers. */
function InWords({ rule }: { readonly rule: EnrichmentRule }) {
  const enrichers = useNames('enrichers')
  const sources = useNames('sources')
  const names = rule.enrichers.map((url) => nameOf(enrichers, url))
  return (
    <>
      <Text size="sm" lineClamp={2}>
        {criteriaInWords(rule.criteria, sources).join(' · ')}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {dataInWords(rule)} · {names.length === 0 ? 'no enrichers' : `with ${names.join(', ')}`}
      </Text>
    </>
  )
}
