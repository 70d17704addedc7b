import { Paper, Progress, SimpleGrid, Table, Text, Title } from '@mantine/core'
import { providerName } from '../../ai/made.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { type BudgetUse, sumOf, type UsageGroup, type UsageRow } from './usage.ts'

/** All requests of a period together. */
export function Totals({ rows }: { readonly rows: readonly UsageRow[] }) {
  const sum = sumOf(rows)
  const tiles = [
    ['Requests', sum.requests.toLocaleString('en'), sum.errors > 0 ? `${sum.errors.toLocaleString('en')} failed` : ''],
    ['Tokens sent', sum.prompt_tokens.toLocaleString('en'), ''],
    ['Tokens received', sum.answer_tokens.toLocaleString('en'), ''],
    ['Cost', costInWords(sum.cost), ''],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {tiles.map(([label, value, note]) => (
        <Paper key={label} withBorder p="sm">
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text fw={600} size="lg">
            {value}
          </Text>
          {note !== '' && (
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  )
}

/** What each group used. */
export function UsageTable({ title, groups }: { readonly title: string; readonly groups: readonly UsageGroup[] }) {
  return (
    <TableFrame minWidth={560} label={`Usage by ${title.toLowerCase()}`}>
      <Table aria-label={`Usage by ${title.toLowerCase()}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{title}</Table.Th>
            {['Requests', 'Failed', 'Tokens sent', 'Tokens received', 'Cost'].map((heading) => (
              <Table.Th key={heading} ta="right">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map(({ name, requests, errors, prompt_tokens, answer_tokens, cost }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                <Text size="sm">{name}</Text>
              </Table.Th>
              {[requests, errors, prompt_tokens, answer_tokens].map((count, i) => (
                <Table.Td key={JSON.stringify([i])} ta="right">
                  {count.toLocaleString('en')}
                </Table.Td>
              ))}
              <Table.Td ta="right">{costInWords(cost)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** How much of their budgets users have used this month. */
export function Budgets({ uses }: { readonly uses: readonly BudgetUse[] }) {
  if (uses.length === 0) return null
  return (
    <section aria-label="Budgets of this month">
      <Title order={2} size="h5" mb="xs">
        Budgets of this month
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {uses.map((use) => (
          <Paper key={`${use.user} ${use.provider}`} withBorder p="sm">
            <BudgetBar {...use} />
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  )
}

const NEARLY = 0.9

function BudgetBar({ user, provider, tokens, budget }: BudgetUse) {
  const share = budget === 0 ? 1 : tokens / budget
  return (
    <>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {user}, {providerName(provider)}
      </Text>
      <Progress
        my={6}
        value={Math.min(100, share * 100)}
        color={share >= 1 ? 'red' : share >= NEARLY ? 'yellow' : 'corvus'}
        aria-label={`Used by ${user} of ${providerName(provider)}`}
      />
      <Text size="xs" c="dimmed">
        {tokens.toLocaleString('en')} of {budget.toLocaleString('en')} tokens
      </Text>
    </>
  )
}

const costInWords = (cost: number): string =>
  cost === 0 ? '–' : cost.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: cost < 0.1 ? 4 : 2 })
