// Verifies messages from the standard input, one a line: keys, id, timestamp, signature and body in base64.
package main

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"svc"
)

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		header := http.Header{}
		for index, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
			header.Set(name, fields[index+1])
		}
		body, err := base64.StdEncoding.DecodeString(fields[4])
		if err != nil {
			panic(err)
		}
		webhook, err := svc.VerifyWebhook(body, header, strings.Fields(fields[0])...)
		switch {
		case err == nil:
			fmt.Println("verified", webhook.Type, *webhook.ExternalID)
		case errors.Is(err, svc.ErrNotVerified):
			fmt.Println("refused", err)
		default:
			fmt.Println("misconfigured", err)
		}
	}
}
