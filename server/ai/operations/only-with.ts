import { z } from 'zod'
import { isRecord } from '../../domain/record.ts'

/** Fields that may only be given while another field has a certain value. */
interface Rule {
  readonly fields: readonly string[]
  readonly other: string
  readonly value: string
}

/** Refuses fields that another field does not allow. They are reported together with all other faults of the body. */
export const onlyWith = <T extends z.ZodType>(schema: T, rules: readonly Rule[]) =>
  // Checks of an object do not run if one of its fields is wrong; the sides of an intersection do not wait for each other.
  z.intersection(
    schema,
    z
      .unknown()
      .superRefine((body, check) => {
        if (!isRecord(body)) return
        for (const { fields, other, value } of rules) {
          // An unknown value of the other field is reported on its own.
          if (typeof body[other] !== 'string' || body[other] === value) continue
          for (const field of fields) {
            if (body[field] === undefined || body[field] === null) continue
            check.addIssue({ code: 'custom', path: [field], message: `may only be given if ${other} is '${value}'` })
          }
        }
      })
      .transform((): object => ({})),
  )
