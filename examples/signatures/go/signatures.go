package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// #region sign
func signWidget(apiKey, pms, externalID string) string {
	mac := hmac.New(sha256.New, []byte(apiKey))
	mac.Write([]byte(pms + "+" + externalID))
	return hex.EncodeToString(mac.Sum(nil))
}

// #endregion

// #region verify
func verify(raw []byte, id, timestamp, signature, secret string, now int64) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" || seconds < now-300 || seconds > now+300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(raw)
	expected := mac.Sum(nil)
	// During a rotation there is one entry per active secret; one match is enough.
	for _, entry := range strings.Fields(signature) {
		if encoded, ok := strings.CutPrefix(entry, "v1,"); ok {
			given, err := base64.StdEncoding.DecodeString(encoded)
			if err == nil && hmac.Equal(given, expected) {
				return true
			}
		}
	}
	return false
}

// #endregion
