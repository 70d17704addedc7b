import type { Form } from './use-form.ts'

type Texts = Readonly<Record<string, string>>

/** Several ids as one text of a form. */
export const idsIn = (text: string | undefined): string[] => (text ? text.split(',') : [])

/** What an input that chooses one value gets from a form of texts; none is an empty text. */
export function choiceField<V extends Texts>(form: Form<V, unknown>, name: keyof V & string) {
  const { value, error, onChange } = form.field(name)
  return { value, error, onChange: (chosen: string | null) => onChange({ currentTarget: { value: chosen ?? '' } }) }
}

/** What an input that chooses several objects gets from a form of texts. */
export function idsField<V extends Texts>(form: Form<V, unknown>, name: keyof V & string) {
  const { value, error, onChange } = form.field(name)
  return {
    value: idsIn(value),
    error,
    onChange: (ids: readonly string[]) => onChange({ currentTarget: { value: ids.join(',') } }),
  }
}
