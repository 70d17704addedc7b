import { call } from '../../api/call.ts'
import { type Configuration, configurationsPath } from './policy.ts'
import {
  type ConfigurationValues,
  configurationBody,
  configurationChanges,
  configurationValues,
} from './policy-values.ts'

/** Why a configuration could not be written. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  /** The key of the configuration; empty if it was deleted in the form. */
  readonly key: string
  override readonly cause: unknown

  constructor(key: string, cause: unknown) {
    super('A configuration could not be written.')
    this.key = key
    this.cause = cause
  }
}

/** Creates or changes one configuration of a policy; returns its values as stored. */
export async function writeConfiguration(policy: number, values: ConfigurationValues): Promise<ConfigurationValues> {
  const path = configurationsPath(policy)
  const body = { data: configurationBody(values) }
  const { data } = await (values.id === undefined
    ? call<{ data: Configuration }>('POST', path, body)
    : call<{ data: Configuration }>('PATCH', `${path}/${values.id}`, body))
  return { ...configurationValues(data), key: values.key }
}

/** Deletes one configuration of a policy. */
export const deleteConfiguration = (policy: number, id: number) =>
  call<undefined>('DELETE', `${configurationsPath(policy)}/${id}`)

/** Whether the configurations of a form differ from those that are stored. */
export function hasChanges(stored: readonly ConfigurationValues[], wanted: readonly ConfigurationValues[]): boolean {
  const { created, changed, deleted } = configurationChanges(stored, wanted)
  return created.length + changed.length + deleted.length > 0
}

/**
 * Writes the configurations of a form, one after the other, and reports each that was stored, so that a second attempt after an
 * error continues where the first ended.
 */
export async function writeConfigurations(
  policy: number,
  stored: readonly ConfigurationValues[],
  wanted: readonly ConfigurationValues[],
  onStored: (stored: readonly ConfigurationValues[]) => void,
): Promise<void> {
  const { created, changed, deleted } = configurationChanges(stored, wanted)
  const now = new Map(stored.map((each) => [each.key, each]))
  for (const id of deleted) {
    await deleteConfiguration(policy, id).catch((error) => {
      throw new ConfigurationError('', error)
    })
    for (const [key, values] of now) if (values.id === id) now.delete(key)
    onStored([...now.values()])
  }
  for (const values of [...changed, ...created]) {
    const written = await writeConfiguration(policy, values).catch((error) => {
      throw new ConfigurationError(values.key, error)
    })
    now.set(written.key, written)
    onStored([...now.values()])
  }
}
