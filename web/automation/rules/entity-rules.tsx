import { Text } from '@mantine/core'
import { ENTITY_RULES } from '../rule-kind.ts'
import { RuleList } from '../rule-list.tsx'
import { CountAndTime, type RuleColumn } from '../rule-table.tsx'
import type { EntityRule } from './entity-rule.ts'
import { actionsInWords, criteriaInWords } from './rule-words.ts'
import { useRuleNames } from './use-rule-names.ts'

const COLUMNS: readonly RuleColumn<EntityRule>[] = [
  { label: 'What it does', cell: (rule) => <InWords rule={rule} /> },
  {
    label: 'Applied',
    width: 165,
    cell: (rule) => <CountAndTime count={rule.acted_count} what="time" many="times" at={rule.last_acted_at} />,
  },
]

/** The list of entity rules. */
export const EntityRules = () => <RuleList<EntityRule> kind={ENTITY_RULES} columns={COLUMNS} />

/** What a rule does, and to which entities. */
function InWords({ rule }: { readonly rule: EntityRule }) {
  const names = useRuleNames()
  return (
    <>
      <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {actionsInWords(rule, names).join(' · ')}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {criteriaInWords(rule, names).join(' · ')}
      </Text>
    </>
  )
}
