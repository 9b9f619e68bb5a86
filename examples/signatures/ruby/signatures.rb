#region sign
require "openssl"

def sign_widget(api_key, pms, external_id)
  OpenSSL::HMAC.hexdigest("SHA256", api_key, "#{pms}+#{external_id}")
end
#endregion

#region verify
def verify(raw, id, timestamp, signature, secret, now)
  return false unless id && signature && /\A\d+\z/.match?(timestamp.to_s)
  return false if (now.to_i - timestamp.to_i).abs > 300
  key = secret.delete_prefix("whsec_").unpack1("m0")
  expected = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + raw.b)
  # During a rotation there is one entry per active secret; one match is enough.
  signature.split(" ").any? do |entry|
    given = entry.start_with?("v1,") ? entry[3..].unpack1("m") : ""
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end
#endregion
