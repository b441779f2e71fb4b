/**
 * SQL of the FDIC certificates of the bank `{rssd_id}`, for tables that know banks by certificate alone. One that several
 * RSSD IDs had is that of the last of them.
 */
export const certificatesOfBank = `(
  SELECT assumeNotNull(cert) FROM entity_names
  WHERE kind = 'bank' AND cert IN (SELECT cert FROM entity_names WHERE kind = 'bank' AND id = {rssd_id:UInt32} AND cert IS NOT NULL)
  GROUP BY cert HAVING argMax(id, (ifNull(until, toDate32('2299-12-31')), id)) = {rssd_id:UInt32}
)`
