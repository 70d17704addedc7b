import { sql } from 'kysely'
import type { Condition } from '../engine/definition.ts'
import { resourceOf, visible } from '../engine/select.ts'

/**
 * A ticket is visible to everyone if it is in no workspace, otherwise through its workspaces, and always to its
 * participants.
 */
export const isTicketSeen: Condition = (ctx, t) => {
  const id = sql.ref(`${t}.id`)
  const { caller } = ctx
  return sql`(
    ${sql.ref(`${t}.created_by`)} = ${caller.id}
    or ${sql.ref(`${t}.assignee`)} = ${caller.id}
    or exists (select from ticket_stakeholders as holder where holder.source = ${id} and holder.target = ${caller.id})
    or not exists (select from ticket_workspaces as lies where lies.source = ${id})
    or exists (
      select from ticket_workspaces as lies join workspaces as place on place.id = lies.target
      where lies.source = ${id} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'place')}))`
}
