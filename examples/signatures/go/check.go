package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	for _, row := range rows(os.Args[1]) {
		fmt.Println(signWidget(text(row["api_key_base64"]), row["pms"], text(row["external_id_base64"])))
	}
	for _, row := range rows(os.Args[2]) {
		now, _ := strconv.ParseInt(row["now"], 10, 64)
		raw := []byte(text(row["body_base64"]))
		fmt.Println(verify(raw, row["id"], row["timestamp"], row["signature"], row["secret"], now))
	}
}

func rows(path string) []map[string]string {
	content, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	var all []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for index, value := range strings.Split(line, "\t") {
			row[names[index]] = value
		}
		all = append(all, row)
	}
	return all
}

func text(encoded string) string {
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		panic(err)
	}
	return string(decoded)
}
