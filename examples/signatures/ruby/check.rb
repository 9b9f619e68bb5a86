require_relative "signatures"

def rows(path)
  names, *lines = File.readlines(path, chomp: true, encoding: "UTF-8").map { |line| line.split("\t", -1) }
  lines.map { |line| names.zip(line).to_h }
end

rows(ARGV[0]).each do |row|
  key, external_id = %w[api_key external_id].map { |name| row["#{name}_base64"].unpack1("m0") }
  puts sign_widget(key, row["pms"], external_id)
end
rows(ARGV[1]).each do |row|
  raw = row["body_base64"].unpack1("m0")
  puts verify(raw, row["id"], row["timestamp"], row["signature"], row["secret"], row["now"])
end
