import { EmptyState } from './empty-state.tsx'

/** Shown in place of a page that the user lacks the permission for. */
export function NoPermission({ permission }: { readonly permission: string }) {
  return (
    <EmptyState title="You do not have access to this page">
      This page requires the permission “{permission}”. Ask an administrator to add it to one of your roles.
    </EmptyState>
  )
}
