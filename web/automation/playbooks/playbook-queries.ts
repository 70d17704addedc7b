import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { StepKind, Template } from './playbook.ts'

const fixedQuery = <T>(path: string) =>
  queryOptions({
    queryKey: [path],
    queryFn: async ({ signal }) => (await call<{ data: readonly T[] }>('GET', path, undefined, signal)).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The kinds of steps; they change only with the version of the platform. */
export const stepKindsQuery = fixedQuery<StepKind>('playbooks/step-kinds')

/** The ready-made playbooks. */
export const templatesQuery = fixedQuery<Template>('playbooks/templates')
