import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Self, selfQuery } from '../../api/self.ts'
import { Faults } from '../../ui/faults.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useForm } from '../../ui/use-form.ts'
import { changeSelf } from './account.ts'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** The form for the user's own details. */
export function OwnDataForm({ self }: { readonly self: Self }) {
  const queries = useQueryClient()
  const { firstname, lastname, locale, timezone } = self
  const form = useForm({ firstname, lastname, locale, timezone }, changeSelf, (now) => {
    queries.setQueryData(selfQuery.queryKey, now)
    showToast('Changes saved')
  })
  const zone = form.field('timezone')
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="First name" autoComplete="given-name" {...form.field('firstname')} />
          <TextInput label="Last name" autoComplete="family-name" {...form.field('lastname')} />
          <Select
            label="Time zone"
            data={ZONES}
            searchable
            limit={100}
            value={zone.value}
            error={zone.error}
            allowDeselect={false}
            onChange={(value) => zone.onChange({ currentTarget: { value: value ?? 'UTC' } })}
          />
          <TextInput
            label="Language"
            description="A language tag such as en-GB"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.field('locale')}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" variant="default" loading={form.isSending}>
            Save changes
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
