import type { Form } from './use-form.ts'

type Texts = Readonly<Record<string, string>>

/** Splits a form value into ids. */
export const idsIn = (text: string | undefined): string[] => (text ? text.split(',') : [])

/** Props for an input that selects one value of a text form; an empty string means none. */
export function choiceField<V extends Texts>(form: Form<V, unknown>, name: keyof V & string) {
  const { value, error, onChange } = form.field(name)
  return { value, error, onChange: (chosen: string | null) => onChange({ currentTarget: { value: chosen ?? '' } }) }
}

/** Props for an input that selects several objects in a text form. */
export function idsField<V extends Texts>(form: Form<V, unknown>, name: keyof V & string) {
  const { value, error, onChange } = form.field(name)
  return {
    value: idsIn(value),
    error,
    onChange: (ids: readonly string[]) => onChange({ currentTarget: { value: ids.join(',') } }),
  }
}
