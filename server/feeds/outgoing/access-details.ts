/** The paths of this server that lead to the content of the feed `t`, by kind. */
export const ACCESS_DETAILS = `
  case when t.transport_type = 'eiq.outgoing-transports.taxii2'
    then jsonb_build_object('collection_url', '/taxii2/root/collections/' || t.collection_id || '/')
    else jsonb_build_object(
      'content_blocks_url', '/api/v2/content-blocks?filter[outgoing_feed]=' || t.id,
      'download_url', '/private/outgoing-feed-download/' || t.id,
      'latest_content_url', '/api/v2/outgoing-feeds/' || t.id || '/latest/content',
      'latest_url', '/private/outgoing-feed-download/' || t.id || '/runs/latest')
  end`
