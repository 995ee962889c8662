package sqlite

// The statements of a turn. A session's revision begins with its epoch: one of a
// session that was deleted fits none that takes its place.
const (
	selectTurn = `SELECT
			coalesce(r.epoch, ''), coalesce(r.state, ''), coalesce(r.recent, ''), coalesce(r.next_seq, 0),
			coalesce(r.epoch || '-' || r.revision, ''), r.created_at, r.updated_at, r.expire_at,
			coalesce(t.epoch, ''), coalesce(t.request_sha256, ''),
			coalesce(t.first_seq, 0), coalesce(t.last_seq, 0), t.lease_until, coalesce(t.revision, ''),
			coalesce(a.state, ''), coalesce(a.revision, ''), coalesce(u.state, ''), coalesce(u.revision, '')
		FROM (SELECT ?1 AS app, ?2 AS user_id, ?3 AS session_id, ?4 AS turn_id) k
		LEFT JOIN sessions r ON r.app = k.app AND r.user_id = k.user_id AND r.session_id = k.session_id
		LEFT JOIN session_turns t ON t.app = k.app AND t.user_id = k.user_id
			AND t.session_id = k.session_id AND t.turn_id = k.turn_id
		LEFT JOIN session_scopes a ON a.app = k.app AND a.user_id = ''
		LEFT JOIN session_scopes u ON u.app = k.app AND u.user_id = k.user_id`

	insertSession = `INSERT INTO sessions
			(epoch, state, recent, next_seq, created_at, updated_at, expire_at,
			app, user_id, session_id, revision)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`

	updateSession = `UPDATE sessions
			SET epoch = ?, state = ?, recent = ?, next_seq = ?, created_at = ?, updated_at = ?, expire_at = ?,
			revision = revision + 1
			WHERE app = ? AND user_id = ? AND session_id = ? AND epoch || '-' || revision = ?`

	insertScope = `INSERT INTO session_scopes (state, app, user_id, revision) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING`

	updateScope = `UPDATE session_scopes SET state = ?, revision = revision + 1
		WHERE app = ? AND user_id = ? AND revision = CAST(? AS INTEGER)`

	insertTurn = `INSERT INTO session_turns
			(epoch, first_seq, last_seq, request_sha256, lease_until, expire_at,
			app, user_id, session_id, turn_id, revision)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`

	updateTurn = `UPDATE session_turns
			SET epoch = ?, first_seq = ?, last_seq = ?, request_sha256 = ?, lease_until = ?, expire_at = ?,
			revision = revision + 1
			WHERE app = ? AND user_id = ? AND session_id = ? AND turn_id = ?
				AND revision = CAST(? AS INTEGER)`

	insertEvent = `INSERT INTO session_events (app, user_id, session_id, epoch, seq, json, expire_at)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
)

var queries = []string{
	selectTurn,
	insertSession,
	updateSession,
	insertScope,
	updateScope,
	insertTurn,
	updateTurn,
	insertEvent,
}
