import { Badge, Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { nameOf, useNames } from '../../api/names.ts'
import type { Playbook } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { RuleList } from '../rule-list.tsx'
import type { RuleColumn } from '../rule-table.tsx'
import { PLAYBOOKS } from './playbook.ts'
import { RUN_STATES } from './runs/run-step.ts'
import { triggerInWords } from './trigger-words.ts'

const COLUMNS: readonly RuleColumn<Playbook>[] = [
  {
    label: 'Trigger',
    width: 340,
    cell: ({ trigger }) => (
      <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {triggerInWords(trigger)}
      </Text>
    ),
  },
  { label: 'Owner', width: 130, cell: (playbook) => <Owner playbook={playbook} /> },
]

/** The list of playbooks. */
export const Playbooks = () => (
  <RuleList<Playbook>
    kind={PLAYBOOKS}
    columns={COLUMNS}
    runs={(playbook) => <RunCounts playbook={playbook} />}
    actions={<TemplatesButton />}
    emptyAction={<TemplatesButton />}
  />
)

/** Opens the gallery of ready-made playbooks. */
function TemplatesButton() {
  const mayCreate = useMay()('modify playbooks')
  const navigate = useNavigate()
  if (!mayCreate) return null
  return (
    <Button variant="default" onClick={() => void navigate({ to: '/playbooks/templates' })}>
      Ready-made playbooks
    </Button>
  )
}

function Owner({ playbook: { last_updated_by } }: { readonly playbook: Playbook }) {
  const users = useNames('users')
  return <Text size="sm">{last_updated_by === null ? 'Unknown' : defangText(nameOf(users, last_updated_by))}</Text>
}

/** When a playbook last ran, and its runs by state. */
function RunCounts({ playbook: { id, last_run_at, run_counts } }: { readonly playbook: Playbook }) {
  const counts = Object.entries(RUN_STATES).flatMap(([state, shown]) => {
    const count = Number(run_counts[state] ?? 0)
    return count > 0 ? [{ state, count, ...shown }] : []
  })
  if (last_run_at === null) return <Text size="sm">No runs yet</Text>
  return (
    <>
      <Text size="sm">
        Last <Moment at={last_run_at} />
      </Text>
      <Group gap={4} mt={2}>
        {counts.map(({ state, count, label, color, counted = label.toLowerCase() }) => (
          <PageLink key={state} to={`${PLAYBOOKS.page}/${id}`} search={{ tab: 'runs', state }} underline="never">
            <Badge variant="light" radius="xs" size="sm" tt="none" color={color} style={{ cursor: 'inherit' }}>
              {count.toLocaleString('en')} {counted}
            </Badge>
          </PageLink>
        ))}
      </Group>
    </>
  )
}
