use base64::{engine::general_purpose::STANDARD, Engine};
use signatures::{sign_widget, verify};
use std::collections::HashMap;

mod signatures;

type Row = HashMap<String, String>;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for row in rows(&files[0]) {
        let (key, id) = (text(&row["api_key_base64"]), text(&row["external_id_base64"]));
        println!("{}", sign_widget(&key, &row["pms"], &id));
    }
    for row in rows(&files[1]) {
        let raw = STANDARD.decode(&row["body_base64"]).unwrap();
        let now = row["now"].parse().unwrap();
        let [id, timestamp, signature, secret] =
            ["id", "timestamp", "signature", "secret"].map(|name| row[name].as_str());
        println!("{}", verify(&raw, id, timestamp, signature, secret, now));
    }
}

fn rows(path: &str) -> Vec<Row> {
    let content = std::fs::read_to_string(path).unwrap();
    let mut lines = content.lines().map(|line| line.split('\t').map(String::from));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|values| names.iter().cloned().zip(values).collect()).collect()
}

fn text(encoded: &str) -> String {
    String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap()
}
