import { Alert, List } from '@mantine/core'
import { CallError } from '../api/call.ts'

/** Validation errors by field, and the remaining errors. */
export interface SortedFaults {
  readonly fields: Readonly<Record<string, string>>
  readonly others: readonly string[]
}

/** Assigns validation errors to form fields: `data.name: is required` belongs to `name`. */
export function sortFaults(error: unknown, names: readonly string[]): SortedFaults {
  const details = detailsOf(error)
  const fields: Record<string, string> = {}
  const others: string[] = []
  for (const detail of details) {
    const [, path, text] = /^(?:data\.)?([\w.[\]]+): (.+)$/s.exec(detail) ?? []
    const name = names.find((each) => each === path || path?.startsWith(`${each}.`) || path?.startsWith(`${each}[`))
    if (name !== undefined && text !== undefined) fields[name] = fields[name] ? `${fields[name]}; ${text}` : text
    else others.push(detail)
  }
  return { fields, others }
}

const detailsOf = (error: unknown): readonly string[] => {
  if (error === null || error === undefined) return []
  if (!(error instanceof CallError)) return ['This page ran into an error. Reload it and try again.']
  return error.faults.length > 0 ? error.faults.map(({ detail }) => detail) : [error.message]
}

/** Errors that do not belong to a field. */
export function Faults({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Alert color="red" variant="light" role="alert">
      {texts.length === 1 ? (
        texts[0]
      ) : (
        <List size="sm">
          {texts.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}

/** All errors of a request. */
export const ErrorFaults = ({ error }: { readonly error: unknown }) => <Faults texts={sortFaults(error, []).others} />
