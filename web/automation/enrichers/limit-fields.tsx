import { ActionIcon, Button, Group, Input, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { Icon } from '../../ui/icon.tsx'
import type { EnricherFormValues } from './enricher-form-values.ts'
import { windowName } from './quota.ts'

/** The props of the sections of the form. */
export interface EnricherFieldsProps {
  readonly values: EnricherFormValues
  readonly set: (change: Partial<EnricherFormValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** The limits of an enricher: how often its service may be called. */
export function LimitFields({ values, set, faults }: EnricherFieldsProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        Limits
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} style={{ alignItems: 'end' }}>
        <NumberInput
          label="Calls per second"
          placeholder="No limit"
          min={1}
          allowDecimal={false}
          value={values.rateLimit}
          error={faults.rate_limit}
          onChange={(value) => set({ rateLimit: String(value) })}
        />
        <NumberInput
          label="Calls per month"
          placeholder="No limit"
          min={0}
          allowDecimal={false}
          thousandSeparator=","
          value={values.cap}
          error={faults.execution_cap}
          onChange={(value) => set({ cap: String(value) })}
        />
        <NumberInput
          label="Parallel look-ups"
          min={1}
          max={20}
          allowDecimal={false}
          value={values.concurrency}
          error={faults.concurrency}
          onChange={(value) => set({ concurrency: String(value) })}
        />
        <NumberInput
          label="Cost per call"
          placeholder="None"
          min={0}
          decimalScale={6}
          value={values.cost}
          error={faults.cost_per_call}
          onChange={(value) => set({ cost: String(value) })}
        />
      </SimpleGrid>
      <Windows values={values} set={set} faults={faults} />
    </>
  )
}

const LENGTHS = [60, 3_600, 86_400]
const NEW_LIMIT = { calls: '100', seconds: '86400' }

/** Further limits: calls in a window of time. */
function Windows({ values: { limits }, set, faults }: EnricherFieldsProps) {
  const lengths = [...new Set([...LENGTHS, ...limits.map(({ seconds }) => Number(seconds))])].sort((a, b) => a - b)
  const change = (at: number, changed: Partial<(typeof limits)[number]>) =>
    set({ limits: limits.map((limit, i) => (i === at ? { ...limit, ...changed } : limit)) })
  return (
    <Input.Wrapper
      label="Further limits"
      labelElement="div"
      description="Many services have several, such as 4 calls per minute and 500 per day."
      error={faults.limits}
    >
      <Stack gap="xs" mt={6}>
        {limits.map((limit, i) => (
          <Group key={String(i)} gap="xs" wrap="nowrap">
            <NumberInput
              aria-label={`Calls of limit ${i + 1}`}
              w={120}
              min={1}
              allowDecimal={false}
              thousandSeparator=","
              value={limit.calls}
              onChange={(value) => change(i, { calls: String(value) })}
            />
            <Text size="sm">calls</Text>
            <Select
              aria-label={`Window of limit ${i + 1}`}
              w={150}
              allowDeselect={false}
              data={lengths.map((seconds) => ({ value: String(seconds), label: windowName(seconds) }))}
              value={limit.seconds}
              onChange={(seconds) => change(i, { seconds: seconds ?? limit.seconds })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove limit ${i + 1}`}
              onClick={() => set({ limits: limits.filter((_, other) => other !== i) })}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button size="compact-sm" variant="default" onClick={() => set({ limits: [...limits, NEW_LIMIT] })}>
            Add limit
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}
