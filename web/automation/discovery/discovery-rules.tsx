import { Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import type { DiscoveryRule } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { NameSelect } from '../../ui/name-select.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { DISCOVERY_RULES } from '../rule-kind.ts'
import { RuleList } from '../rule-list.tsx'
import { CountAndTime, type RuleColumn } from '../rule-table.tsx'
import { discoveryInWords } from './discovery-values.ts'

const COLUMNS: readonly RuleColumn<DiscoveryRule>[] = [
  { label: 'Looks for', cell: (rule) => <LooksFor rule={rule} /> },
  {
    label: 'Found',
    width: 165,
    cell: (rule) => (
      <CountAndTime count={rule.discovered_count} what="entity" many="entities" at={rule.last_discovered_at} />
    ),
  },
]

/** The list of discovery rules. */
export function DiscoveryRules() {
  const url = useUrlState()
  const workspace = url.get('workspace')
  return (
    <RuleList<DiscoveryRule>
      kind={DISCOVERY_RULES}
      columns={COLUMNS}
      parameters={workspace === '' ? {} : { 'filter[workspaces]': workspace }}
      filter={{
        isSet: workspace !== '',
        input: (
          <NameSelect
            of="workspaces"
            label="Workspace"
            placeholder="Any workspace"
            isBare
            value={workspace}
            onChange={(id) => url.set({ workspace: id })}
            w={180}
          />
        ),
      }}
    />
  )
}

/** What a rule looks for, in words. */
function LooksFor({ rule }: { readonly rule: DiscoveryRule }) {
  const sources = useNames('sources')
  const words = discoveryInWords(
    rule,
    rule.sources.map((url) => defangText(nameOf(sources, url))),
  )
  return (
    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {words.join(' · ')}
    </Text>
  )
}
