import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { SCHEDULES, type ScheduleValues } from './schedule.ts'

interface ScheduleFieldsProps {
  readonly values: ScheduleValues
  readonly set: (change: Partial<ScheduleValues>) => void
  readonly error?: string | undefined
  readonly label?: string
  readonly description?: string
}

/** How often something runs: an interval, or a cron expression. */
export function ScheduleFields({ values, set, error, label = 'Schedule', description }: ScheduleFieldsProps) {
  const isKnown = SCHEDULES.some(({ value }) => value === values.schedule)
  const own = isKnown ? [] : [{ value: values.schedule, label: `Every ${values.schedule} seconds` }]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[...SCHEDULES, ...own]}
        value={values.schedule}
        error={error}
        allowDeselect={false}
        onChange={(value) => set({ schedule: value ?? 'never' })}
      />
      {values.schedule === 'cron' && (
        <TextInput
          label="Cron expression"
          placeholder="0 3 * * *"
          classNames={{ input: 'code' }}
          value={values.cron}
          onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}
