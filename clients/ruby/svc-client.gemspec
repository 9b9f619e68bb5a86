Gem::Specification.new do |spec|
  spec.name = 'svc-client'
  spec.version = '0'
  spec.summary = "Svc for a partner's backend: API client, widget signature, webhook verification."
  spec.authors = ['Svc']
  spec.license = 'MIT'
  spec.required_ruby_version = '>= 3.1'
  spec.files = Dir['lib/**/*.rb']
  spec.add_dependency 'typhoeus', '~> 1.4'
end
