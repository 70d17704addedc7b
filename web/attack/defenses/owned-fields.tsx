import { Textarea, TextInput } from '@mantine/core'
import { choiceField } from '../../ui/form-fields.ts'
import { NameSelect } from '../../ui/name-select.tsx'
import type { Form } from '../../ui/use-form.ts'
import type { OwnedTexts } from './owned.ts'

/** Inputs for the owner, the note and the day of the next review. */
export function OwnedFields<V extends OwnedTexts & Readonly<Record<string, string>>>({
  form,
}: {
  readonly form: Form<V, unknown>
}) {
  return (
    <>
      <NameSelect of="users" label="Owner" {...choiceField(form, 'owner')} />
      <TextInput label="Review on" type="date" {...form.field('review_at')} />
      <Textarea label="Note" autosize minRows={2} maxRows={10} {...form.field('note')} />
    </>
  )
}
