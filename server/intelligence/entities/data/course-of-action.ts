import { z } from 'zod'
import { customAttributes } from '../records/custom-attributes.ts'
import { cost, efficacy, impact, objective } from '../records/statement.ts'
import { dataOf } from './shared-fields.ts'

/** The kinds of courses of action. */
export const COURSE_OF_ACTION_TYPES = [
  'Diplomatic Actions',
  'Eradication',
  'Hardening',
  'Internal Blocking',
  'Logical Access Restrictions',
  'Monitoring',
  'Other',
  'Patching',
  'Perimeter Blocking',
  'Physical Access Restrictions',
  'Policy Actions',
  'Public Disclosure',
  'Rebuilding',
  'Redirection',
  'Redirection (Honey Pot)',
  'Training',
] as const

/** A measure against a threat. */
export const courseOfAction = dataOf('course-of-action', {
  coa_type: z.enum(COURSE_OF_ACTION_TYPES),
  stage: z.enum(['Remedy', 'Response']),
  cost,
  efficacy,
  impact,
  objective,
  custom_attributes: customAttributes,
})
