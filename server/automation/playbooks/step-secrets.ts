import { isRecord } from '../../domain/record.ts'
import { GIVE_AGAIN, originOf } from '../../engine/bound-secrets.ts'
import type { Vault } from '../../engine/context.ts'
import { PASS_THROUGH } from '../../engine/field-class.ts'

/** The parameters that are secrets, by their kind of steps, and the parameter with the address that they are sent to. */
const SECRETS: Readonly<Record<string, { readonly secret: string; readonly address: string }>> = {
  webhook: { secret: 'secret', address: 'url' },
}

/** A step as clients send it and as it is stored. */
export interface AnyStep {
  readonly id: string
  readonly kind: string
  readonly [parameter: string]: unknown
}

/** A secret, and the server that it was given for. */
interface Kept {
  readonly secret: string
  readonly origin: string
}

/** By the ids of steps, which can be those of members of every object. */
type KeptByStep = ReadonlyMap<string, Kept>

/** Steps with the pass-through token in place of their secrets, which are sealed together. */
export interface Separated<S extends AnyStep> {
  readonly steps: readonly S[]
  /** Null if there are none. */
  readonly sealed: string | null
  /** What is wrong, each beginning with the path of the field. */
  readonly faults: readonly string[]
}

/**
 * Separates the secrets of the steps of a playbook. The pass-through token stands for the stored secret of the step with the same id, unless
 * that was given for another server: it would be sent there. Without a stored secret, the token stands for none.
 */
export function separateSecrets<S extends AnyStep>(
  vault: Vault,
  steps: readonly S[],
  stored: string | null,
): Separated<S> {
  const before = openSecrets(vault, stored)
  const kept = new Map<string, Kept>()
  const faults: string[] = []
  const open = steps.map((step, i): S => {
    const place = SECRETS[step.kind]
    if (!place) return step
    const given = step[place.secret]
    const origin = originOf(step[place.address]) ?? ''
    const known = before.get(step.id)
    if (given === PASS_THROUGH && known && known.origin !== origin)
      faults.push(`steps[${i}].${place.secret}: ${GIVE_AGAIN}`)
    const secret = given === PASS_THROUGH ? known?.secret : given
    if (typeof secret !== 'string') return { ...step, [place.secret]: null }
    kept.set(step.id, { secret, origin })
    return { ...step, [place.secret]: PASS_THROUGH }
  })
  return { steps: open, sealed: kept.size > 0 ? vault.seal(JSON.stringify(Object.fromEntries(kept))) : null, faults }
}

/** A stored step with its secret, for the call that needs it. It has none if it was given for another server. */
export function withSecret<S extends AnyStep>(vault: Vault, step: S, stored: string | null): S {
  const place = SECRETS[step.kind]
  if (!place || step[place.secret] !== PASS_THROUGH) return step
  const known = openSecrets(vault, stored).get(step.id)
  const isOwn = known !== undefined && known.origin === originOf(step[place.address])
  return { ...step, [place.secret]: isOwn ? known.secret : null }
}

function openSecrets(vault: Vault, stored: string | null): KeptByStep {
  if (stored === null) return new Map()
  const opened: unknown = JSON.parse(vault.open(stored))
  return new Map(isRecord(opened) ? Object.entries(opened as Record<string, Kept>) : [])
}
